import { compileMessage } from '@lingui/message-utils/compileMessage'

/** The part of Babel's syntax tree used here; Babel has no types of its own. */
interface SyntaxNode {
  type: string
  leadingComments?: { value: string }[] | null
  properties?: { type: string; key: SyntaxNode & { name?: string }; value: SyntaxNode & { value?: unknown } }[]
}
interface NodePath {
  node: SyntaxNode
  traverse(visitor: Record<string, (path: NodePath) => void>): void
}
interface Babel {
  types: { valueToNode(value: unknown): SyntaxNode }
}

/**
 * Runs after the Lingui macro and replaces each source message by its compiled tokens. English then needs neither a
 * catalog nor an ICU parser in the browser, and each page contains only its own strings.
 */
export function linguiInlineSource({ types }: Babel) {
  const compileInPlace = ({ node }: NodePath) => {
    if (!node.leadingComments?.some((comment) => comment.value.trim() === 'i18n')) return
    for (const property of node.properties ?? []) {
      if (property.type !== 'ObjectProperty' || property.key.name !== 'message') continue
      const { value } = property.value
      if (typeof value === 'string') property.value = types.valueToNode(compileMessage(value))
    }
  }
  return {
    visitor: {
      Program: {
        exit(path: NodePath) {
          path.traverse({ ObjectExpression: compileInPlace })
        },
      },
    },
  }
}
