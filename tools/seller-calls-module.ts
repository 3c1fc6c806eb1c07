import { contractFiles, replacingCalls } from './seller-calls.ts'

const name = 'virtual:seller-calls'
const resolved = `\0${name}`

interface LoadContext {
  addWatchFile(file: string): void
}

/** The module `virtual:seller-calls`, generated from the contracts, so that no contract is sent to the browser. */
export function sellerCallsModule() {
  return {
    name: 'signet:seller-calls',
    resolveId: (id: string) => (id === name ? resolved : undefined),
    async load(this: LoadContext, id: string) {
      if (id !== resolved) return undefined
      for (const file of contractFiles()) this.addWatchFile(file)
      return `export const sellerCalls = ${JSON.stringify(await replacingCalls())}`
    },
  }
}
