import { t } from '@lingui/core/macro'
import { notify } from '#web/notify.ts'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { copyText } from '#web/ui/copy-button.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { useMedia } from '#web/use-media.ts'
import { type CodeLine, codeText } from './client-snippets.ts'
import { CodeLines } from './code-lines.tsx'

/** Code to take along: a click anywhere in it copies it, the button does so for the keyboard. */
export function ClientCode({ label, lines }: { label: string; lines: readonly CodeLine[] }) {
  const canHover = useMedia('(hover: hover)')
  const text = codeText(lines)
  const copyAll = async () => {
    if (await copyText(text)) notify.success(t`Copied`)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the copy button is the keyboard's way
    <div
      // The copy button's tooltip frame is a line of its own above the code; this takes it out of the flow.
      className="[&_.corner-ticks>span]:absolute [&_.corner-ticks>span]:top-0 [&_.corner-ticks>span]:right-0"
      onClick={(event) => {
        const inCode = (event.target as HTMLElement).closest('pre') !== null
        // Somebody who dragged over a part of it wants that part.
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
