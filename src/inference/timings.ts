/** Where the time of one request went, and with how many rows it shared its execution. */
export interface InferenceTimings {
  readonly queueMicroseconds: number;
  /** Joining the inputs of the batch. */
  readonly computeInputMicroseconds: number;
  /** The runtime's own work. */
  readonly computeInferMicroseconds: number;
  /** Dividing the outputs of the batch. */
  readonly computeOutputMicroseconds: number;
  /** Rows of the execution that gave the answer, its own included. */
  readonly batchRows: number;
}
