const { ROOMS } = require('./rooms.cjs');

const quotePattern = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const TEST = '(\\.test\\.ts$|/testing/|\\.contract\\.ts$)';

const roomRules = Object.entries(ROOMS).map(([room, { imports }]) => ({
  name: `room-${room}`,
  comment: `src/${room} may import only: ${['itself', ...imports].join(', ')} (ARCHITECTURE.md, Rooms)`,
  severity: 'error',
  from: { path: `^src/${room}/`, pathNot: TEST },
  to: imports.includes('*')
    ? { path: '^(test|bench|scripts)/' }
    : {
        path: '^(src|test|bench|scripts)/',
        pathNot: [
          `^src/${room}/`,
          ...imports.map((target) => `^src/${quotePattern(target)}${target.endsWith('.ts') ? '$' : '/'}`),
        ],
      },
}));

const packageRules = Object.entries(ROOMS).map(([room, { packages }]) => ({
  name: `packages-${room}`,
  comment: `src/${room} may import only node: and ${packages.join(', ') || 'no package'}`,
  severity: 'error',
  from: { path: `^src/${room}/`, pathNot: TEST },
  to: {
    path: 'node_modules/',
    pathNot: packages.map((name) => `node_modules/(@types/)?${quotePattern(name)}/`),
  },
}));

module.exports = {
  forbidden: [
    ...roomRules.map((rule) =>
      rule.to.pathNot?.length === 0 ? { ...rule, to: { path: rule.to.path } } : rule,
    ),
    ...packageRules.map((rule) =>
      rule.to.pathNot.length === 0 ? { ...rule, to: { path: rule.to.path } } : rule,
    ),
    {
      name: 'only-onnxruntime-backend',
      comment: 'onnxruntime-node is loaded in one folder only',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/backend/onnxruntime/|${TEST}` },
      to: { path: 'node_modules/onnxruntime-node/' },
    },
    {
      name: 'batch-not-in-process',
      comment: 'client: only the in-process client knows the engine',
      severity: 'error',
      from: { path: '^src/client/', pathNot: `^src/client/in-process-client\\.ts$|${TEST}` },
      to: { path: '^src/engine/' },
    },
    {
      name: 'tests-stay-out',
      comment: 'product code never imports tests or their tools',
      severity: 'error',
      from: { path: '^src/', pathNot: TEST },
      to: { path: TEST },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'types'],
    },
  },
};
