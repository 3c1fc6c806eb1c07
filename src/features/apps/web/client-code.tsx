import { t } from '@lingui/core/macro'
import { Fragment } from 'react'
import { notify } from '#web/browser/notify.ts'
import { CodeBlock, CodeKeyword, CodeString } from '#web/ui/code-block.tsx'
import { copyText } from '#web/ui/copy-button.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { useMedia } from '#web/browser/use-media.ts'
import { type CodeLine, type CodeToken, snippetText } from './code-lines.ts'

/** Code to copy: a click anywhere in it copies it; the button is for keyboard users. */
export function ClientCode({ label, lines }: { label: string; lines: readonly CodeLine[] }) {
  const canHover = useMedia('(hover: hover)')
  const text = snippetText(lines)
  const copyAll = async () => {
    if (await copyText(text)) notify.success(t`Copied`)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- keyboard users have the copy button
    <div
      // Takes the wrapper of the copy button's tooltip out of the flow; otherwise it adds a line above the code.
      className="[&_.corner-ticks>span]:absolute [&_.corner-ticks>span]:top-0 [&_.corner-ticks>span]:right-0"
      onClick={(event) => {
        const inCode = (event.target as HTMLElement).closest('pre') !== null
        // A user who selected a part of the code wants only that part.
        if (inCode && window.getSelection()?.isCollapsed !== false) void copyAll()
      }}
    >
      <Disclosure label={label} startsOpen>
        {() => (
          <CodeBlock label={label} text={text} blurred={canHover}>
            <CodeLines lines={lines} />
          </CodeBlock>
        )}
      </Disclosure>
    </div>
  )
}

function Token({ token }: { token: CodeToken }) {
  // Truncated between its quotes, only by CSS, so that a manual selection still copies the whole text.
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
    default:
      return text
  }
}

function CodeLines({ lines }: { lines: readonly CodeLine[] }) {
  return lines.map((line, at) => (
    <Fragment key={at}>
      {at > 0 && '\n'}
      {line.map((token, index) => (
        <Token key={index} token={token} />
      ))}
    </Fragment>
  ))
}
