export interface ModelConfigMessage {
  name: string;
}
