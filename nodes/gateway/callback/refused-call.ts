/** Why a call from outside gets no more than an HTTP status and the reason, as its message, which doesn't repeat the call. */
export class RefusedCall extends Error {
  readonly status: number;

  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
  }
}
