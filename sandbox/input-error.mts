/** Something was asked for that can't be done; the text says why, for a person. */
export class InputError extends Error {
  /** HTTP status that the control API answers with. */
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}
