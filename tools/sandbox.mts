/**
 * The sandbox gateway, or with `check <address>` the check of another gateway.
 *
 * Usage: npm run sandbox -- [options]; `--help` lists them.
 */
import '../sandbox/main.mts';
