/** What has to work on every version, on the n8n of the set-up; `test/versions/` has the oldest one. */
import { checkOn } from '../support/on-version.mts';
import { realN8n } from '../support/real-n8n.mts';

checkOn(process.env.GIVEN_N8N ? 'given' : 'newest', realN8n);
