import { t } from '@lingui/core/macro'
import { Button } from '../ui/button.tsx'

interface FieldConflictProps {
  theirs: string
  yours: string
  onTake: () => void
  onKeep: () => void
}

/** Somebody else changed the value since the form was opened: the reader chooses which value to keep. */
export function FieldConflict({ theirs, yours, onTake, onKeep }: FieldConflictProps) {
  return (
    <div
      role="group"
      aria-label={t`Changed in the meantime`}
      data-conflict
      className="flex flex-col gap-2 rounded-md border border-line-strong bg-surface-2 px-3 py-2.5 text-ui"
    >
      <p className="font-medium text-warn">{t`Changed in the meantime`}</p>
      <Choice label={t`Theirs`} text={theirs} button={t`Take theirs`} onChoose={onTake} />
      <Choice label={t`Yours`} text={yours} button={t`Keep mine`} onChoose={onKeep} />
    </div>
  )
}

interface ChoiceProps {
  label: string
  text: string
  button: string
  onChoose: () => void
}

const Choice = ({ label, text, button, onChoose }: ChoiceProps) => (
  <div className="flex items-start gap-3">
    <p className="min-w-0 grow pt-0.5">
      <span className="mr-2 text-text-2">{label}</span>
      <span className="break-words whitespace-pre-wrap">{text === '' ? <i>{t`empty`}</i> : text}</span>
    </p>
    <Button size="sm" className="shrink-0" onClick={onChoose}>
      {button}
    </Button>
  </div>
)

/** Default text of a value in a form. */
export function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? t`On` : t`Off`
  return value === undefined || value === null ? '' : String(value)
}
