import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { codeTextFiles, everyCodeText } from './code-texts.ts'

const name = 'virtual:code-texts'
const resolved = `\0${name}`

interface LoadContext {
  addWatchFile(file: string): void
}

/**
 * The module `virtual:code-texts`: the text of each code, compiled like `linguiInlineSource` does, under its ID in the
 * catalogs of other languages. Generated from the contracts, so that no contract is sent to the browser.
 */
export function codeTextsModule() {
  return {
    name: 'signet:code-texts',
    resolveId: (id: string) => (id === name ? resolved : undefined),
    async load(this: LoadContext, id: string) {
      if (id !== resolved) return undefined
      for (const file of codeTextFiles()) this.addWatchFile(file)
      const texts = [...(await everyCodeText())].map(([code, text]) => [
        code,
        { id: generateMessageId(text), message: compileMessage(text) },
      ])
      return `export const textsByCode = ${JSON.stringify(Object.fromEntries(texts))}`
    },
  }
}
