/** What `/readyz` reports besides the availability of the database. */
export class Readiness {
  #isDraining = false
  /** Result of the last integrity check of the database. */
  integrityProblems = 0

  /** Whether this server is about to stop: it still serves requests, but proxies should send new ones elsewhere. */
  get isDraining(): boolean {
    return this.#isDraining
  }

  drain(): void {
    this.#isDraining = true
  }
}
