import type { extractor } from '@lingui/cli/api'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { everyCodeText } from './code-texts.ts'

/** Puts the texts of codes into the catalogues, each with its codes for the translator, where `Code` is declared. */
export const codeTextsExtractor: typeof extractor = {
  match: (filename) => filename.endsWith('src/contract/codes.ts'),
  async extract(filename, _code, onMessageExtracted) {
    for (const [code, text] of await everyCodeText()) {
      const id = generateMessageId(text)
      onMessageExtracted({ id, message: text, comment: code, origin: [filename, 1], placeholders: {} })
    }
  },
}
