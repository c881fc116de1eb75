/** The answer to a call from outside that is refused: an HTTP status, and as `message` the reason, which repeats nothing of the call. */
export class RefusedCall extends Error {
  readonly status: number;

  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
  }
}
