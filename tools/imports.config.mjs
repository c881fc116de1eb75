// Which file may import which, checked by dependency-cruiser in `npm test -- lint`. Types count as imports.

/** The folders of nodes/gateway that know nothing but the language. */
const FOUNDATION = 'text|keys';

export default {
  forbidden: [
    {
      name: 'no-circle-of-files',
      comment: 'Move what both files need into a third one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circle-of-folders',
      comment: 'A folder that needs another one and is needed by it is one folder, or three.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^nodes/[^/]+/[^/]+$' },
      to: { path: '^nodes/[^/]+/[^/]+$', circular: true },
    },
    {
      name: 'gateway-knows-no-n8n',
      comment: 'What nodes/gateway does must work, and be tested, without n8n.',
      severity: 'error',
      from: { path: '^nodes/gateway/' },
      to: { path: ['n8n-', '^nodes/(?!gateway/)'] },
    },
    {
      name: 'adapters-know-only-the-gateway',
      comment: 'nodes/n8n serves both nodes, and the credential.',
      severity: 'error',
      from: { path: '^nodes/n8n/' },
      to: { path: '^nodes/(?!gateway/|n8n/)' },
    },
    {
      name: 'nodes-apart',
      comment: 'What both nodes need belongs to nodes/gateway or nodes/n8n.',
      severity: 'error',
      from: { path: '^nodes/(MessagingGateway|MessagingGatewayTrigger)/' },
      to: { path: '^nodes/(?!gateway/|n8n/)', pathNot: '^nodes/$1/' },
    },
    {
      name: 'contract-below-all',
      comment: 'All else follows from the contract: it needs nothing but texts.',
      severity: 'error',
      from: { path: '^nodes/gateway/contract/' },
      to: { path: '^nodes/', pathNot: '^nodes/gateway/(contract|text)/' },
    },
    {
      name: 'foundation-below-the-contract',
      comment: 'These folders would serve any other program as well.',
      severity: 'error',
      from: { path: `^nodes/gateway/(${FOUNDATION})/` },
      to: { path: '^nodes/', pathNot: `^nodes/gateway/(${FOUNDATION})/` },
    },
    {
      name: 'operations-use-parts',
      comment:
        'Operations are built of parts. No part knows an operation; the router and the form know their list.',
      severity: 'error',
      from: { path: '^nodes/MessagingGateway/[^/]+/', pathNot: '^nodes/MessagingGateway/operations/' },
      to: { path: '^nodes/MessagingGateway/operations/' },
    },
    {
      name: 'sandbox-apart',
      comment: 'The stand-in reads the contract on its own, so that a misreading on either side shows.',
      severity: 'error',
      from: { path: '^sandbox/' },
      to: { path: '^(nodes|credentials|test|bench|tools)/' },
    },
    {
      name: 'no-forgotten-file',
      comment: 'Nothing imports this file, so nothing needs it.',
      severity: 'error',
      from: { orphan: true, path: '^(nodes|credentials)/' },
      to: {},
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Other projects, with packages of their own.
    exclude: { path: '^tools/(n8n|oldest-n8n|scanner)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'require', 'types', 'default'],
    },
  },
};
