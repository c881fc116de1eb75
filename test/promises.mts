/**
 * What the pages promise, in their words, and the tests that would break first: path below `test/`, then the title with those
 * of its `describe`s. `docs/promises.md` is made of it; `unit/build/promises.test.mts` compares it with pages and tests.
 */
interface PromisesOfPage {
  page: string;
  promises: ReadonlyArray<{
    /** Words of the page, verbatim but for line breaks. */
    says: string;
    tests: readonly [string, ...string[]];
  }>;
}

export const PROMISES: readonly PromisesOfPage[] = [
  {
    page: 'README.md',
    promises: [
      {
        says: '**Nothing is sent twice.** Not by Retry On Fail, not when a connection breaks or the gateway answers late',
        tests: [
          'unit/simulation/sending › keeps every promise, seed after seed',
          'e2e/retry › Retry of a failed execution sends what was not sent, and a second Retry of the same one sends nothing twice',
          'queue/queue-mode › sends nothing twice when a worker is killed in the middle of a send',
        ],
      },
      {
        says: 'with a *Send Once Key*, not by another run or workflow either.',
        tests: [
          'e2e/send-once › sends 500 rows once, run twice in a row, and by another workflow',
          'e2e/killed › Rows with a key, in the middle of which n8n was killed, are finished by a second run, and another n8n of the account sends none of them again.',
        ],
      },
      {
        says: '**Each row has its own true result**, also when half of a list fails.',
        tests: [
          'e2e/proof › reports each message as it was, whatever the gateway says and whenever it breaks off',
          'engine/failures › items that the gateway refuses › go on beside the others with On Error set to continue, in their places',
        ],
      },
      {
        says: "What can't be known is reported as unknown.",
        tests: [
          'e2e/proof › reports each message as it was, however the gateway speaks of what it refuses',
          'engine/retries › says of a call whose answer is lost, and of which nothing is known, where to look for it',
        ],
      },
      {
        says: '**Wrong input costs nothing.** Numbers, texts and limits are checked before the first message.',
        tests: [
          'engine/bad-input › names the first item that is refused, and sends nothing for the others either',
          'engine/limits › gives each item the reason with On Error set to continue, and asks the gateway nothing',
        ],
      },
      {
        says: '**Wait for Delivery** pauses a workflow until every message has arrived, been read, or failed.',
        tests: [
          'engine/waiting › Wait for Delivery sleeps until the callbacks of all messages came, returns their outcomes in order, and stops watching',
          'e2e/wait › waits for 3,000 messages at little cost: few callbacks, right outcomes, and n8n answers meanwhile',
        ],
      },
      {
        says: '**People answer** without an app: they confirm codes, approve requests by a link, press digits in a call, and reply on Viber.',
        tests: [
          'e2e/one-time-passwords › the form › leads from the number to verified, over a wrong code, a resend and a call, and keeps the code out of n8n',
          'e2e/approval-links › is decided by a reply on Viber, for the number that was asked with the message',
          'e2e/examples › sends each digit that was pressed its own way',
        ],
      },
    ],
  },
  {
    page: 'docs/bulk.md',
    promises: [
      {
        says: '**Without one, *Retry* of an execution that crashed or was stopped while sending sends nothing**, unless the rows have a *Message ID* of their own',
        tests: [
          'e2e/killed › Retry of an execution in which n8n was killed while it sent messages without ids of their own sends nothing, and says why.',
          'e2e/killed › After n8n was killed in the middle of a send, status by id tells what was accepted, and Retry sends the rest.',
        ],
      },
      {
        says: "**Retry On Fail is safe on this node.** What was accepted isn't sent again.",
        tests: [
          'engine/repeated-messages › Retry On Fail › sends nothing of what the first try sent, nor the rows that repeat it',
          'e2e/repeated-messages › sends it once in all tries of Retry On Fail, also where the first was refused',
        ],
      },
      {
        says: '**Nothing leaves before every row is valid**, unless *On Error* is set to continue',
        tests: [
          'engine/bad-input › names the first item that is refused, and sends nothing for the others either',
        ],
      },
      {
        says: 'Nothing leaves where a limit is exceeded',
        tests: [
          'engine/limits › gives each item the reason with On Error set to continue, and asks the gateway nothing',
        ],
      },
      {
        says: 'Counted are all valid rows, whether they had been sent before or not, and rows that are the same message once.',
        tests: [
          'engine/limits › counts rows that repeat a key once, those that were sent before as well, and neither invalid nor checked ones',
        ],
      },
      {
        says: 'The `id` of the message is [made of key and number](reference.md#the-id-of-a-send-once-key) and nothing else.',
        tests: [
          'engine/send-once › takes no part of the message but key and number: blanks, the text and the type of the message do not count',
        ],
      },
      {
        says: 'The list is read once for a run and not for each row',
        tests: [
          'engine/cost-of-skips › a stop list from another node is read once for a run, and not for each of 10,000 rows',
        ],
      },
      {
        says: "*Retry* on an execution that ended with an error is safe: what was accepted isn't sent again, and the others keep their ids and are asked about before they are sent.",
        tests: [
          'e2e/retry › Retry of a failed execution sends what was not sent, and a second Retry of the same one sends nothing twice',
        ],
      },
      {
        says: 'Rows of a run that come to **the same message to the same number** are one message: the first of them is sent, and the others have its result, whatever that is, with `duplicate: true`.',
        tests: [
          'engine/repeated-messages › %s with a fixed number and text behind thirty rows › sends one message, gives each row its result, and says so',
          'engine/repeated-messages › what becomes of the one message becomes of all rows › its refusal is that of each row',
        ],
      },
      {
        says: '**A limit of `status`** is found by halving, whatever the gateway says of it, and kept.',
        tests: [
          'unit/client/status-desk › a `status` that takes %i ids is asked about so many, whatever its words, and tells of all',
          'unit/delivery-wait/watch › asks a gateway that takes ten ids, and says so in any way, about all messages in turn, and seldom tries more',
        ],
      },
      {
        says: '100 at first, growing to 1,000 while the gateway answers quickly, smaller when it is slow.',
        tests: [
          'unit/client/pace › the size of a request › it begins at 100, or where the user says',
          'unit/client/pace › the size of a request › it grows to 1,000 while answers are quick, shrinks to 10 while they are slow, and stays in between',
        ],
      },
    ],
  },
  {
    page: 'docs/wait-for-delivery.md',
    promises: [
      {
        says: 'A wait outlasts a restart of n8n and wakes at the next callback of one of these messages',
        tests: ['e2e/killed › A wait ends with all outcomes at the first callback after n8n was killed.'],
      },
      {
        says: 'if none comes, its rows continue at the limit with what was known when the execution fell asleep, and `final: false`.',
        tests: [
          'e2e/killed › A wait without a callback after n8n was killed ends at the limit with what was known.',
        ],
      },
      {
        says: 'The workflow pauses until the outcome of every message is known.',
        tests: [
          'engine/waiting › Wait for Delivery sleeps until the callbacks of all messages came, returns their outcomes in order, and stops watching',
        ],
      },
      {
        says: "A row that the gateway refused isn't waited for, whatever its status says: it comes out with its error, and the others are waited for.",
        tests: [
          'e2e/wait › carries items with errors and failed deliveries through the sleep, and sends nothing twice with Retry On Fail',
        ],
      },
      {
        says: 'outcomes then come later: by as long as the wait has lasted so far, and by ten minutes at most.',
        tests: [
          'unit/delivery-wait/watch › has all outcomes of %i messages that come in over %i ms, soon after the last, in %i requests at most',
        ],
      },
      {
        says: 'at once, where the last channel failed, or where the gateway refused the message and nothing was sent (REJECTED);',
        tests: [
          'unit/delivery-wait/open-wait › a fallback whose first channel failed › has failed at once where the last channel did, or nothing was sent',
        ],
      },
      {
        says: "otherwise when the gateway's status has said for five minutes that a channel failed, and nothing else: then nothing follows.",
        tests: [
          'unit/delivery-wait/open-wait › a fallback whose first channel failed › has failed if status, which %s, says nothing else for five minutes',
        ],
      },
      {
        says: 'Lost and repeated callbacks do no harm.',
        tests: [
          'queue/queue-mode › brings back 500 messages of one run, right and in order, when callbacks come while it falls asleep',
          'unit/simulation/waiting › keeps every promise, seed after seed',
        ],
      },
      {
        says: 'at most once a minute, and less often with many or large waits, it looks whether the execution still sleeps.',
        tests: [
          'unit/delivery-wait/watch › looks rarely whether executions sleep, and at each of them in turn',
        ],
      },
    ],
  },
  {
    page: 'docs/trigger.md',
    promises: [
      {
        says: "Anything that isn't a callback is answered with a 4xx and starts nothing; so is a body over 1 MB.",
        tests: [
          'unit/trigger/receive › reads a body that came without a content type, unless it is larger than 1 MB',
          'e2e/trigger › acknowledges what was not chosen and starts nothing, and answers while the workflow that it starts is still at work',
        ],
      },
      {
        says: 'Without a secret or allowed addresses, a callback about more than 100 messages is refused.',
        tests: [
          'unit/trigger/receive › answers 413 to a call about more than 100 messages that would be verified, and may come from anybody',
        ],
      },
      {
        says: 'If it loses its value later, it lets nobody in: callbacks are answered with 503, so that the gateway tries again',
        tests: [
          'unit/trigger/receive › a trigger that is not set up correctly › with %s lets nobody in, and says so in the log',
          'e2e/trigger-options › a guard without a usable value keeps the trigger from being published',
        ],
      },
      {
        says: 'Nobody on the way can read or change them, and no output, log or *Check Only* shows them in the address.',
        tests: [
          'unit/callback/sealed-fields › opens for no other message, with no other key, and not once it was changed, cut or put together',
          'engine/callback-fields › shows no seal by Check Only',
        ],
      },
      {
        says: "A callback that isn't wanted is acknowledged and starts nothing; the answer says so",
        tests: [
          'e2e/trigger › acknowledges what was not chosen and starts nothing, and answers while the workflow that it starts is still at work',
        ],
      },
      {
        says: 'Starts the workflow once in 24 hours for the same status of the same message, and not for a late one (Delivered after Read).',
        tests: [
          'e2e/trigger-options › duplicates start once, also when they come at the same moment, and late statuses not at all',
          'unit/callback/recent › forgets after a day',
        ],
      },
      {
        says: 'A row has only what the answer has too',
        tests: ['unit/trigger/verify › passes only what the answer has too, and what is marked'],
      },
      {
        says: 'What repeats an event that n8n is still starting is answered with 503.',
        tests: [
          'unit/callback/recent › an execution that n8n is starting › leaves a repeat of its events open until n8n has answered, and then has it known',
        ],
      },
      {
        says: "a hundred in a request, so that a stranger's hundreds keep none of them waiting for longer than two answers of the gateway.",
        tests: [
          'unit/client/status-queue › answers the last of 800 that ask at the same moment after two answers of the gateway',
        ],
      },
    ],
  },
  {
    page: 'docs/one-time-passwords.md',
    promises: [
      {
        says: "If the database can't be written to, nothing is verified or sent.",
        tests: [
          'unit/otp/recording › Gives up after five tries, for all that were written together, and goes on with the next.',
          'unit/otp/send-limits › A code that was not sent does not count › where n8n could not record it.',
        ],
      },
      {
        says: 'The challenge is encrypted, tells nothing about the code, and is no secret.',
        tests: [
          'unit/otp/send-code › A code › is sent, and its challenge holds what verifies it.',
          'engine/one-time-passwords › The code is kept out of errors, where the gateway repeats the message.',
        ],
      },
    ],
  },
  {
    page: 'docs/approvals.md',
    promises: [
      {
        says: 'nothing is sent twice by Retry On Fail, invalid input is refused before anything is sent.',
        tests: ['engine/approval › the message › is sent once by a repeated node, and its ids stay'],
      },
      {
        says: 'characters that turn the direction of a text around or are invisible are written out',
        tests: [
          'engine/approval › the message › shows nothing turned around, in the message, on the page and in what is chosen',
          'engine/human-review › the page › makes characters visible that hide or turn around others',
        ],
      },
      {
        says: 'The page always shows the tool and its arguments in full, as n8n will call it, whatever the texts and the model say.',
        tests: [
          "engine/human-review › the page › shows what n8n will call, whatever else the model says, and apart from it the agent's item, which n8n passes on",
        ],
      },
      {
        says: 'and only at the address that the gateway alone has.',
        tests: ['engine/approval › a reply › counts only at the address that the gateway has'],
      },
      {
        says: '**A new API key closes open questions.**',
        tests: [
          'e2e/approval-secrets › the link of a question opens nothing once the API key of the credential is another',
        ],
      },
    ],
  },
  {
    page: 'docs/agents.md',
    promises: [
      {
        says: 'Whatever the agent says, in whatever spelling and by whatever operation, nothing leaves to any other number',
        tests: [
          'engine/allowed-recipients › %s sends to the author’s numbers alone',
          'engine/allowed-recipients › is on the call of a connector tool, whatever the notation in its arguments',
        ],
      },
      {
        says: 'A confirmed call is never made twice, not even by Retry On Fail',
        tests: [
          'engine/assistant › a confirmed call › is made once where a session is dropped in the middle, or the first try of the node ended early',
        ],
      },
      {
        says: '*By a Person* opens for a call that a human review let through with a decision, and for nothing else',
        tests: [
          'engine/agent-tool › confirmation by a person › sends what came through the human review',
          'engine/agent-tool › a tool that is run %s › takes neither switch nor confirmation from the data that the agent starts with',
        ],
      },
    ],
  },
  {
    page: 'docs/when-something-fails.md',
    promises: [
      {
        says: 'The API key is only sent to the addresses in the credential.',
        tests: [
          'unit/n8n/authenticate › the API key, which somebody pasted with blanks around it › is not sent to %s',
        ],
      },
    ],
  },
  {
    page: 'docs/sandbox.md',
    promises: [
      {
        says: 'It contacts nothing but callback addresses on the same machine',
        tests: ['unit/sandbox/callbacks › only this machine is ever contacted, unless that is allowed'],
      },
      {
        says: 'It never takes the key from the command line and never prints it.',
        tests: [
          'unit/sandbox/check › shows neither the key that a gateway repeats, however it is written, nor what would steer a terminal',
          'unit/sandbox/check › refuses the command line %j',
        ],
      },
      {
        says: 'No message is sent, no number is looked up, nothing is changed.',
        tests: [
          'unit/sandbox/check › finds nothing to say against the sandbox, on all three addresses, plain or as a stream, and changes nothing there',
        ],
      },
      {
        says: 'installs nothing else.',
        tests: [
          'e2e/sandbox-package › holds nothing but one file of code, the page and texts, and needs no other package',
        ],
      },
    ],
  },
  {
    page: 'docs/scale.md',
    promises: [
      {
        says: 'A hostile body of 1 MB takes each parser less than 100 ms, and the time grows with the length, not with its square',
        tests: [
          'unit/callback/bounded-time › every reader of callbacks is through with a long text in no time: %s',
        ],
      },
      {
        says: 'saves at most 4,000 of them with the workflow, in less than 88 kB',
        tests: [
          'unit/callback/recent › what another process has dumped › is short, and holds the newest only',
        ],
      },
    ],
  },
  {
    page: 'docs/replies.md',
    promises: [
      {
        says: 'With the option **Callback Fields** of the send, each reply has `phone` and what you attached',
        tests: [
          'e2e/callback-fields › says of every callback and reply whose it is, and of a seal that was tampered with nothing',
        ],
      },
    ],
  },
  {
    page: 'SECURITY.md',
    promises: [
      {
        says: "the API key, a one-time password or the secret of a callback address anywhere but in the request to the gateway and in n8n's credential store: in outputs, errors, logs or execution data",
        tests: [
          'e2e/failures › the API key is nowhere in the database, the logs and the executions of n8n',
          'engine/one-time-passwords › The code is kept out of errors, where the gateway repeats the message.',
        ],
      },
      {
        says: "an answer to a question (*Send and Wait for Response*) by anybody who doesn't have its link",
        tests: [
          'e2e/approval-secrets › no spelling of the resume token opens a question, from run data or from the hook of an earlier wait',
          'engine/approval › a link › of an earlier run of a node in a loop opens nothing',
        ],
      },
      {
        says: "a request of the node to an address that the user didn't enter.",
        tests: ['unit/n8n/request › a request of %s › follows no redirect, which would carry the key away'],
      },
    ],
  },
];
