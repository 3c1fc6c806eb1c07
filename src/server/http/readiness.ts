/** What `/readyz` says besides whether the database answers. */
export class Readiness {
  #isDraining = false
  /** What the last check of the database's integrity has found. */
  integrityProblems = 0

  /** Whether this server is about to stop: it serves as before, and proxies should send new requests elsewhere. */
  get isDraining(): boolean {
    return this.#isDraining
  }

  drain(): void {
    this.#isDraining = true
  }
}
