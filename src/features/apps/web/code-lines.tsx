import { Fragment } from 'react'
import { CodeComment, CodeKeyword, CodeString } from '#web/ui/code-block.tsx'
import type { CodeLine, CodeToken } from './client-snippets.ts'

function Token({ token }: { token: CodeToken }) {
  // Cut off between its quotes, by the style alone: selecting it by hand still gives the whole text.
  const text = token.long ? (
    <>
      {token.text.slice(0, 1)}
      <span className="inline-block max-w-[12ch] overflow-hidden align-bottom text-ellipsis">
        {token.text.slice(1, -1)}
      </span>
      {token.text.slice(-1)}
    </>
  ) : (
    token.text
  )
  switch (token.kind) {
    case 'string':
      return <CodeString>{text}</CodeString>
    case 'keyword':
      return <CodeKeyword>{text}</CodeKeyword>
    case 'comment':
      return <CodeComment>{text}</CodeComment>
    default:
      return text
  }
}

export function CodeLines({ lines }: { lines: readonly CodeLine[] }) {
  return lines.map((line, at) => (
    <Fragment key={at}>
      {at > 0 && '\n'}
      {line.map((token, index) => (
        <Token key={index} token={token} />
      ))}
    </Fragment>
  ))
}
