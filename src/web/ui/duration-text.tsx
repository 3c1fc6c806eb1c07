import { formatDuration } from '#contract/duration.ts'

/** A length of time in its largest fitting unit (part 1 §9). */
export function DurationText({ seconds }: { seconds: number }) {
  return <span className="whitespace-nowrap">{formatDuration(seconds)}</span>
}
