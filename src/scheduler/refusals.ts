import { MillraceError } from '../base/errors.ts';

export function cancelledError(modelName: string): MillraceError {
  return new MillraceError(
    'REQUEST_CANCELLED',
    `the request to model '${modelName}' was cancelled by its caller`,
  );
}

export function timeoutError(modelName: string, waitedMicroseconds: number): MillraceError {
  const waitedMs = Math.round(waitedMicroseconds / 1000);
  return new MillraceError(
    'REQUEST_TIMEOUT',
    `Request timeout expired: it waited ${waitedMs} ms for model '${modelName}' and was not run`,
    { details: { model: modelName, waitedMs } },
  );
}

export function queueFullError(modelName: string, maxQueueSize: number): MillraceError {
  return new MillraceError(
    'QUEUE_FULL',
    `Exceeds maximum queue size: ${maxQueueSize} requests to model '${modelName}' are waiting, send again later`,
    { details: { model: modelName, maxQueueSize } },
  );
}

export function shuttingDownError(modelName: string): MillraceError {
  return new MillraceError(
    'SHUTTING_DOWN',
    `model '${modelName}' is being unloaded and takes no new requests`,
  );
}
