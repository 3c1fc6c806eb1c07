/** Made from the contracts by the build (`tools/code-texts-module.ts`): the English text of every code. */
declare module 'virtual:code-texts' {
  import type { MessageDescriptor } from '@lingui/core'
  import type { Code } from '#contract/codes.ts'
  export const textsByCode: Readonly<Record<Code, MessageDescriptor>>
}
