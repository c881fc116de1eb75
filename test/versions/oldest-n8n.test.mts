import { checkOn, startOf } from '../support/on-version.mts';

checkOn('oldest', async () => await startOf('oldest'));
