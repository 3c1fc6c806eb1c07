/** What `/readyz` reports besides the availability of the database. */
export class Readiness {
  #isDraining = false
  /** Damage found in the database that could not be stored, perhaps because of the damage. */
  unstoredProblems = 0

  /** Whether this server is about to stop: it still serves requests, but proxies should send new ones elsewhere. */
  get isDraining(): boolean {
    return this.#isDraining
  }

  drain(): void {
    this.#isDraining = true
  }
}
