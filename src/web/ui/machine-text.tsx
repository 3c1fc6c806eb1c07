import { Fragment } from 'react'
import { keyGroups, truncateEnd, truncateMiddle } from './key-groups.ts'

export interface MachineTextProps {
  value: string
  /**
   * `groups` for keys: the parts between hyphens (or every 4 characters) alternate in brightness. `start` and `middle`
   * shorten an ID; its tooltip has the whole.
   */
  shape?: 'plain' | 'groups' | 'start' | 'middle'
  /** A line that is too short breaks between groups. */
  wraps?: boolean
  className?: string
}

/** Characters of a group that fit on any screen: it is not broken after its hyphen. */
const wholeGroup = 24

/** Keys, IDs, hashes and addresses: monospaced and never translated. */
export function MachineText({ value, shape = 'plain', wraps = false, className = '' }: MachineTextProps) {
  if (shape === 'middle' || shape === 'start') {
    const short = shape === 'start' ? truncateEnd(value) : truncateMiddle(value)
    const whole = short === value ? undefined : value
    return (
      <span translate="no" className={`machine ${className}`} title={whole} data-whole={whole}>
        {short}
      </span>
    )
  }
  const breaking = shape === 'plain' ? '' : wraps ? 'whitespace-normal wrap-anywhere' : 'whitespace-nowrap'
  return (
    <span translate="no" className={`machine ${breaking} ${className}`}>
      {shape === 'plain'
        ? value
        : keyGroups(value).map(({ text, start }, index) => (
            <Fragment key={start}>
              {/* Not inline blocks: a screen reader pauses between those, as if the key had spaces. */}
              {wraps && index > 0 && <wbr />}
              <span
                className={`${index % 2 === 0 ? 'text-text' : 'text-text-2'} ${wraps && text.length <= wholeGroup ? 'whitespace-nowrap' : ''}`}
              >
                {text}
              </span>
            </Fragment>
          ))}
    </span>
  )
}
