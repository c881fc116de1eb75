/** What has to work on every version, on the n8n of the set-up; `test/versions/` has the older ones. */
import { CURRENT_LINE } from '../../tools/n8n-host/installations.mts';
import { checkOn } from '../support/on-version.mts';
import { realN8n } from '../support/real-n8n.mts';

checkOn(process.env.GIVEN_N8N ? 'given' : CURRENT_LINE, realN8n);
