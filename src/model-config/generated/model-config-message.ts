/**
 * Triton's ModelConfig message. Made from proto/model_config.proto by scripts/generate-model-config-types.ts: do not edit.
 * A field that is absent has its proto3 default. An enum value without a name is its number.
 */

export interface ModelConfigMessage {
  readonly name?: string;
  readonly platform?: string;
  readonly backend?: string;
  readonly runtime?: string;
  readonly version_policy?: ModelVersionPolicy;
  readonly max_batch_size?: number;
  readonly input?: readonly ModelInput[];
  readonly output?: readonly ModelOutput[];
  readonly batch_input?: readonly BatchInput[];
  readonly batch_output?: readonly BatchOutput[];
  readonly optimization?: ModelOptimizationPolicy;
  readonly dynamic_batching?: ModelDynamicBatching;
  readonly sequence_batching?: ModelSequenceBatching;
  readonly ensemble_scheduling?: ModelEnsembling;
  readonly instance_group?: readonly ModelInstanceGroup[];
  readonly default_model_filename?: string;
  readonly cc_model_filenames?: ReadonlyMap<string, string>;
  readonly metric_tags?: ReadonlyMap<string, string>;
  readonly parameters?: ReadonlyMap<string, ModelParameter>;
  readonly model_warmup?: readonly ModelWarmup[];
  readonly model_operations?: ModelOperations;
  readonly model_transaction_policy?: ModelTransactionPolicy;
  readonly model_repository_agents?: ModelRepositoryAgents;
  readonly response_cache?: ModelResponseCache;
  readonly model_metrics?: ModelMetrics;
}

export interface ModelVersionPolicy {
  readonly latest?: ModelVersionPolicyLatest;
  readonly all?: ModelVersionPolicyAll;
  readonly specific?: ModelVersionPolicySpecific;
}

export interface ModelVersionPolicyLatest {
  readonly num_versions?: number;
}

export interface ModelVersionPolicyAll {
}

export interface ModelVersionPolicySpecific {
  readonly versions?: readonly bigint[];
}

export interface ModelInput {
  readonly name?: string;
  readonly data_type?: DataType;
  readonly format?: ModelInputFormat;
  readonly dims?: readonly bigint[];
  readonly reshape?: ModelTensorReshape;
  readonly is_shape_tensor?: boolean;
  readonly allow_ragged_batch?: boolean;
  readonly optional?: boolean;
  readonly is_non_linear_format_io?: boolean;
}

export type DataType = 'TYPE_INVALID' | 'TYPE_BOOL' | 'TYPE_UINT8' | 'TYPE_UINT16' | 'TYPE_UINT32' | 'TYPE_UINT64' | 'TYPE_INT8' | 'TYPE_INT16' | 'TYPE_INT32' | 'TYPE_INT64' | 'TYPE_FP16' | 'TYPE_FP32' | 'TYPE_FP64' | 'TYPE_STRING' | 'TYPE_BF16' | number;

export type ModelInputFormat = 'FORMAT_NONE' | 'FORMAT_NHWC' | 'FORMAT_NCHW' | number;

export interface ModelTensorReshape {
  readonly shape?: readonly bigint[];
}

export interface ModelOutput {
  readonly name?: string;
  readonly data_type?: DataType;
  readonly dims?: readonly bigint[];
  readonly reshape?: ModelTensorReshape;
  readonly label_filename?: string;
  readonly is_shape_tensor?: boolean;
  readonly is_non_linear_format_io?: boolean;
}

export interface BatchInput {
  readonly kind?: BatchInputKind;
  readonly target_name?: readonly string[];
  readonly data_type?: DataType;
  readonly source_input?: readonly string[];
}

export type BatchInputKind = 'BATCH_ELEMENT_COUNT' | 'BATCH_ACCUMULATED_ELEMENT_COUNT' | 'BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO' | 'BATCH_MAX_ELEMENT_COUNT_AS_SHAPE' | 'BATCH_ITEM_SHAPE' | 'BATCH_ITEM_SHAPE_FLATTEN' | number;

export interface BatchOutput {
  readonly target_name?: readonly string[];
  readonly kind?: BatchOutputKind;
  readonly source_input?: readonly string[];
}

export type BatchOutputKind = 'BATCH_SCATTER_WITH_INPUT_SHAPE' | number;

export interface ModelOptimizationPolicy {
  readonly graph?: ModelOptimizationPolicyGraph;
  readonly priority?: ModelOptimizationPolicyModelPriority;
  readonly cuda?: ModelOptimizationPolicyCuda;
  readonly execution_accelerators?: ModelOptimizationPolicyExecutionAccelerators;
  readonly input_pinned_memory?: ModelOptimizationPolicyPinnedMemoryBuffer;
  readonly output_pinned_memory?: ModelOptimizationPolicyPinnedMemoryBuffer;
  readonly gather_kernel_buffer_threshold?: number;
  readonly eager_batching?: boolean;
}

export interface ModelOptimizationPolicyGraph {
  readonly level?: number;
}

export type ModelOptimizationPolicyModelPriority = 'PRIORITY_DEFAULT' | 'PRIORITY_MAX' | 'PRIORITY_MIN' | number;

export interface ModelOptimizationPolicyCuda {
  readonly graphs?: boolean;
  readonly busy_wait_events?: boolean;
  readonly graph_spec?: readonly ModelOptimizationPolicyCudaGraphSpec[];
  readonly output_copy_stream?: boolean;
}

export interface ModelOptimizationPolicyCudaGraphSpec {
  readonly batch_size?: number;
  readonly input?: ReadonlyMap<string, ModelOptimizationPolicyCudaGraphSpecShape>;
  readonly graph_lower_bound?: ModelOptimizationPolicyCudaGraphSpecLowerBound;
}

export interface ModelOptimizationPolicyCudaGraphSpecShape {
  readonly dim?: readonly bigint[];
}

export interface ModelOptimizationPolicyCudaGraphSpecLowerBound {
  readonly batch_size?: number;
  readonly input?: ReadonlyMap<string, ModelOptimizationPolicyCudaGraphSpecShape>;
}

export interface ModelOptimizationPolicyExecutionAccelerators {
  readonly gpu_execution_accelerator?: readonly ModelOptimizationPolicyExecutionAcceleratorsAccelerator[];
  readonly cpu_execution_accelerator?: readonly ModelOptimizationPolicyExecutionAcceleratorsAccelerator[];
}

export interface ModelOptimizationPolicyExecutionAcceleratorsAccelerator {
  readonly name?: string;
  readonly parameters?: ReadonlyMap<string, string>;
}

export interface ModelOptimizationPolicyPinnedMemoryBuffer {
  readonly enable?: boolean;
}

export interface ModelDynamicBatching {
  readonly preferred_batch_size?: readonly number[];
  readonly max_queue_delay_microseconds?: bigint;
  readonly preserve_ordering?: boolean;
  readonly priority_levels?: bigint;
  readonly default_priority_level?: bigint;
  readonly default_queue_policy?: ModelQueuePolicy;
  readonly priority_queue_policy?: ReadonlyMap<bigint, ModelQueuePolicy>;
}

export interface ModelQueuePolicy {
  readonly timeout_action?: ModelQueuePolicyTimeoutAction;
  readonly default_timeout_microseconds?: bigint;
  readonly allow_timeout_override?: boolean;
  readonly max_queue_size?: number;
}

export type ModelQueuePolicyTimeoutAction = 'REJECT' | 'DELAY' | number;

export interface ModelSequenceBatching {
  readonly direct?: ModelSequenceBatchingStrategyDirect;
  readonly oldest?: ModelSequenceBatchingStrategyOldest;
  readonly max_sequence_idle_microseconds?: bigint;
  readonly control_input?: readonly ModelSequenceBatchingControlInput[];
  readonly state?: readonly ModelSequenceBatchingState[];
  readonly iterative_sequence?: boolean;
}

export interface ModelSequenceBatchingStrategyDirect {
  readonly max_queue_delay_microseconds?: bigint;
  readonly minimum_slot_utilization?: number;
}

export interface ModelSequenceBatchingStrategyOldest {
  readonly max_candidate_sequences?: number;
  readonly preferred_batch_size?: readonly number[];
  readonly max_queue_delay_microseconds?: bigint;
  readonly preserve_ordering?: boolean;
}

export interface ModelSequenceBatchingControlInput {
  readonly name?: string;
  readonly control?: readonly ModelSequenceBatchingControl[];
}

export interface ModelSequenceBatchingControl {
  readonly kind?: ModelSequenceBatchingControlKind;
  readonly int32_false_true?: readonly number[];
  readonly fp32_false_true?: readonly number[];
  readonly bool_false_true?: readonly boolean[];
  readonly data_type?: DataType;
}

export type ModelSequenceBatchingControlKind = 'CONTROL_SEQUENCE_START' | 'CONTROL_SEQUENCE_READY' | 'CONTROL_SEQUENCE_END' | 'CONTROL_SEQUENCE_CORRID' | number;

export interface ModelSequenceBatchingState {
  readonly input_name?: string;
  readonly output_name?: string;
  readonly data_type?: DataType;
  readonly dims?: readonly bigint[];
  readonly initial_state?: readonly ModelSequenceBatchingInitialState[];
  readonly use_same_buffer_for_input_output?: boolean;
  readonly use_growable_memory?: boolean;
}

export interface ModelSequenceBatchingInitialState {
  readonly data_type?: DataType;
  readonly dims?: readonly bigint[];
  readonly zero_data?: boolean;
  readonly data_file?: string;
  readonly name?: string;
}

export interface ModelEnsembling {
  readonly step?: readonly ModelEnsemblingStep[];
  readonly max_inflight_requests?: number;
}

export interface ModelEnsemblingStep {
  readonly model_name?: string;
  readonly model_version?: bigint;
  readonly input_map?: ReadonlyMap<string, string>;
  readonly output_map?: ReadonlyMap<string, string>;
  readonly model_namespace?: string;
}

export interface ModelInstanceGroup {
  readonly name?: string;
  readonly kind?: ModelInstanceGroupKind;
  readonly count?: number;
  readonly rate_limiter?: ModelRateLimiter;
  readonly gpus?: readonly number[];
  readonly secondary_devices?: readonly ModelInstanceGroupSecondaryDevice[];
  readonly profile?: readonly string[];
  readonly passive?: boolean;
  readonly host_policy?: string;
}

export type ModelInstanceGroupKind = 'KIND_AUTO' | 'KIND_GPU' | 'KIND_CPU' | 'KIND_MODEL' | number;

export interface ModelRateLimiter {
  readonly resources?: readonly ModelRateLimiterResource[];
  readonly priority?: number;
}

export interface ModelRateLimiterResource {
  readonly name?: string;
  readonly global?: boolean;
  readonly count?: number;
}

export interface ModelInstanceGroupSecondaryDevice {
  readonly kind?: ModelInstanceGroupSecondaryDeviceSecondaryDeviceKind;
  readonly device_id?: bigint;
}

export type ModelInstanceGroupSecondaryDeviceSecondaryDeviceKind = 'KIND_NVDLA' | number;

export interface ModelParameter {
  readonly string_value?: string;
}

export interface ModelWarmup {
  readonly name?: string;
  readonly batch_size?: number;
  readonly inputs?: ReadonlyMap<string, ModelWarmupInput>;
  readonly count?: number;
}

export interface ModelWarmupInput {
  readonly data_type?: DataType;
  readonly dims?: readonly bigint[];
  readonly zero_data?: boolean;
  readonly random_data?: boolean;
  readonly input_data_file?: string;
}

export interface ModelOperations {
  readonly op_library_filename?: readonly string[];
}

export interface ModelTransactionPolicy {
  readonly decoupled?: boolean;
}

export interface ModelRepositoryAgents {
  readonly agents?: readonly ModelRepositoryAgentsAgent[];
}

export interface ModelRepositoryAgentsAgent {
  readonly name?: string;
  readonly parameters?: ReadonlyMap<string, string>;
}

export interface ModelResponseCache {
  readonly enable?: boolean;
}

export interface ModelMetrics {
  readonly metric_control?: readonly ModelMetricsMetricControl[];
}

export interface ModelMetricsMetricControl {
  readonly metric_identifier?: ModelMetricsMetricControlMetricIdentifier;
  readonly histogram_options?: ModelMetricsMetricControlHistogramOptions;
}

export interface ModelMetricsMetricControlMetricIdentifier {
  readonly family?: string;
}

export interface ModelMetricsMetricControlHistogramOptions {
  readonly buckets?: readonly number[];
}
