/** Generated from the contracts at build time (`tools/code-texts-module.ts`): the English text of every code. */
declare module 'virtual:code-texts' {
  import type { MessageDescriptor } from '@lingui/core'
  import type { Code } from '#contract/codes.ts'
  export const textsByCode: Readonly<Record<Code, MessageDescriptor>>
}
