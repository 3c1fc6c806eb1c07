import { plural, t } from '@lingui/core/macro'

const bar = [
  'h-1 w-full appearance-none overflow-hidden rounded-full border-0 bg-line indeterminate:animate-pulse',
  '[&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent-edge',
  '[&::-moz-progress-bar]:bg-accent-edge indeterminate:[&::-moz-progress-bar]:bg-line',
].join(' ')

interface ProgressLineProps {
  label: string
  done: number
  /** The total; without it, the progress is indeterminate. */
  total: number
}

/** Progress of a bulk action. */
export function ProgressLine({ label, done, total }: ProgressLineProps) {
  const lang = document.documentElement.lang || 'en'
  const reached = Math.min(done, total).toLocaleString(lang)
  return (
    <div className="flex flex-col gap-1.5">
      <progress aria-label={label} value={done || undefined} max={total} className={bar} />
      <p aria-live="polite" className="text-meta text-text-2">
        {done > 0 ? plural(total, { one: `${reached} of # done`, other: `${reached} of # done` }) : t`Working…`}
      </p>
    </div>
  )
}
