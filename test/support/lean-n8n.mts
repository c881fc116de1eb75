/**
 * The environment of an n8n without modules that nothing in these tests touches, and that load with every start: a fifth of
 * its processor time. `npm start`, `npm run walk`, `versions` and `bench` have all of them, as users do.
 */
export const LEAN: NodeJS.ProcessEnv = {
  N8N_DISABLED_MODULES: 'instance-ai,mcp-registry,otel,insights,external-secrets',
};
