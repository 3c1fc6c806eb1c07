import type { extractor } from '@lingui/cli/api'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { everyCodeText } from './code-texts.ts'

/**
 * Adds the texts of codes to the catalogs, each with its codes as a note for translators, at the declaration of `Code`.
 */
export const codeTextsExtractor: typeof extractor = {
  match: (filename) => filename.endsWith('src/contract/codes.ts'),
  async extract(filename, _code, onMessageExtracted) {
    for (const [code, text] of await everyCodeText()) {
      const id = generateMessageId(text)
      onMessageExtracted({ id, message: text, comment: code, origin: [filename, 1], placeholders: {} })
    }
  },
}
