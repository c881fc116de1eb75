import type { NodeHint } from 'n8n-workflow';

/** What the editor shows about an approval before it runs and while it waits. */

/** Characters that a text may have beside a link of ordinary length in a single SMS. */
const SHORT_TEXT = 10;

export const approvalHints: NodeHint[] = [
  {
    type: 'warning',
    location: 'outputPane',
    whenToDisplay: 'beforeExecution',
    displayCondition: `={{ $parameter["resource"] === "approval" && $parameter["channels"].includes("sms") && !$parameter["options"].shortLink && $parameter["text"].length > ${SHORT_TEXT} }}`,
    message:
      'With this text the SMS is billed as two or more: the link alone takes about 150 of the 160 characters of a single SMS. Check Only shows the exact count; Shorten Links makes the link shorter.',
  },
];

/** The tooltip of a node that waits. */
export const waitingTooltip =
  '={{ $parameter["resource"] === "approval" ? "Waiting until someone answers" : "Waiting for delivery, " + $parameter["waitAmount"] + " " + $parameter["waitUnit"] + " at most" }}';
