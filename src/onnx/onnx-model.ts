import type { Dims } from '../tensor/shape.ts';
import type { ElementType } from './element-types.ts';

/** What is read of a model file: its structure without the weights. */
export interface OnnxModel {
  readonly irVersion: number;
  /** Version of each operator set by domain; the standard one is `ai.onnx`. */
  readonly opsets: ReadonlyMap<string, number>;
  readonly graph: OnnxGraph;
  readonly functions: readonly OnnxFunction[];
}

export interface OnnxGraph {
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  /** The constant tensors, without their data. */
  readonly initializers: readonly OnnxTensor[];
  readonly nodes: readonly OnnxNode[];
}

/** A function that the model brings along: its nodes stand in for each node that calls it. */
export interface OnnxFunction {
  readonly name: string;
  readonly nodes: readonly OnnxNode[];
}

export interface OnnxNode {
  /** May be empty. */
  readonly name: string;
  readonly operator: string;
  readonly domain: string;
  /** Names; an empty one stands for an optional input that is left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: readonly OnnxAttribute[];
}

export interface OnnxAttribute {
  readonly name: string;
  readonly integer: number | undefined;
  readonly tensor: OnnxTensor | undefined;
  readonly graphs: readonly OnnxGraph[];
}

export interface OnnxTensor {
  readonly name: string;
  readonly elementType: ElementType;
  readonly dims: Dims;
  /** True for a single BOOL that is true. */
  readonly isTrue: boolean;
  /** Keys and values of `external_data`; undefined where the data is in the model file. */
  readonly external: ReadonlyMap<string, string> | undefined;
}

/** An input or output of a graph. */
export interface OnnxValue {
  readonly name: string;
  readonly type: OnnxValueType;
}

export type OnnxValueType =
  /** `dims`: -1 for a symbolic or absent size; undefined: the file does not give the number of dimensions. */
  | { readonly kind: 'tensor'; readonly elementType: ElementType; readonly dims: Dims | undefined }
  | {
      readonly kind: 'sequence' | 'map' | 'optional' | 'sparse tensor' | 'opaque value' | 'value of no type';
    };
