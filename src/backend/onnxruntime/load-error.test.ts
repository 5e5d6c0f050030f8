import { describe, expect, it } from 'vitest';
import { toLoadError } from './load-error.ts';
import { shortenRuntimeMessage } from './runtime-message.ts';

const LOADING = 'Load model from /models/CUDA (1)/model.onnx failed:';

describe('shortenRuntimeMessage cuts what only developers of ONNX Runtime read', () => {
  it.each([
    [
      `${LOADING}/onnxruntime_src/onnxruntime/core/graph/model.cc:202 onnxruntime::Model::Model(onnx::ModelProto&&, const onnxruntime::PathString&, const onnxruntime::ModelOptions&) Unsupported model IR version: 99, max supported IR version: 13\n`,
      'Unsupported model IR version: 99, max supported IR version: 13',
    ],
    [
      `${LOADING}/onnxruntime_src/onnxruntime/core/graph/model_load_utils.h:46 void onnxruntime::model_load_utils::ValidateOpsetForDomain(const std::unordered_map<std::__cxx11::basic_string<char>, int>&, const onnxruntime::logging::Logger&, bool, const std::string&, int) ONNX Runtime only *guarantees* support`,
      'ONNX Runtime only *guarantees* support',
    ],
    [
      'External data path validation failed for initializer: W. Error: tensorprotoutils.cc:434 ValidateExternalDataPathFromDir Absolute path not allowed for external data location',
      'External data path validation failed for initializer: W. Error: Absolute path not allowed for external data location',
    ],
    [
      "Non-zero status code returned while running Reshape node. Name:'r' Status Message: /onnxruntime_src/onnxruntime/core/providers/cpu/tensor/reshape_helper.h:45 onnxruntime::ReshapeHelper::ReshapeHelper(const onnxruntime::TensorShape&, onnxruntime::TensorShapeVector&, bool) input_shape_size == size was false. The input tensor cannot be reshaped to the requested shape. Input shape:{2,3}, requested shape:{4}\n",
      "Non-zero status code returned while running Reshape node. Name:'r' Status Message: input_shape_size == size was false. The input tensor cannot be reshaped to the requested shape. Input shape:{2,3}, requested shape:{4}",
    ],
    [
      '/onnxruntime_src/onnxruntime/core/providers/webgpu/webgpu_context.cc:136 onnxruntime::webgpu::WebGpuContext::Initialize(const onnxruntime::webgpu::WebGpuContextConfig&)::<lambda()> adapter_result.status was false. No supported adapters',
      'adapter_result.status was false. No supported adapters',
    ],
    ['Invalid rank for input: x Got: 1 Expected: 2', 'Invalid rank for input: x Got: 1 Expected: 2'],
    ['x.cc:1 broken(', 'broken('],
    ['', ''],
  ])('%#', (text, expected) => {
    expect(shortenRuntimeMessage(text)).toBe(expected);
  });
});

describe('toLoadError', () => {
  it.each([
    [
      `${LOADING}Protobuf parsing failed.`,
      'MODEL_FILE_INVALID',
      'cannot be read by ONNX Runtime 1.2.3: Protobuf parsing failed.',
    ],
    [`${LOADING}File doesn't exist`, 'MODEL_FILE_INVALID', "File doesn't exist"],
    [
      `${LOADING}Could not find an implementation for Foo(13) node with name 'n'`,
      'MODEL_UNSUPPORTED',
      "uses operator 'Foo' of version 13 (node 'n')",
    ],
    [
      `${LOADING}Node x is broken`,
      'MODEL_LOAD_FAILED',
      'was refused by ONNX Runtime 1.2.3: Node x is broken',
    ],
    [
      'Failed to construct locale with name:en_US.UTF-8:locale::facet::_S_create_c_locale name not valid',
      'MODEL_LOAD_FAILED',
      'install it on this machine',
    ],
    [
      'OrtSessionOptionsAppendExecutionProvider_Cuda: Failed to load shared library',
      'PROVIDER_UNAVAILABLE',
      'Failed to load shared library',
    ],
    [
      'This session contains graph nodes that are assigned to the default CPU EP, but fallback to CPU EP has been explicitly disabled by the user.',
      'PROVIDER_UNAVAILABLE',
      'fallback to CPU EP',
    ],
  ])('%#', (text, reason, message) => {
    const error = toLoadError('/models/m/1/model.onnx', text, '1.2.3');
    expect(error).toMatchObject({ reason, details: { runtime_version: '1.2.3' } });
    expect(error.message).toContain("model file '/models/m/1/model.onnx' ");
    expect(error.message).toContain(message);
  });
});
