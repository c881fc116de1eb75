/**
 * The environment of an n8n of tests. Without modules that nothing in them touches and that load with every start: a quarter of
 * its processor time. Expressions have n8n's default engine, which is made when the first one needs it, and not for every run
 * and call. `npm start`, `npm run versions` and `bench` have n8n as users do.
 */
export const LEAN: NodeJS.ProcessEnv = {
  N8N_DISABLED_MODULES:
    'instance-ai,mcp-registry,otel,insights,external-secrets,agents,mcp,oauth-server,n8n-packages,source-control',
  N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
  N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
};
