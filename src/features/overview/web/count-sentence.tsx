import { Link } from '@tanstack/react-router'
import type { ListAddress } from './overview-links.ts'

interface CountSentenceProps {
  text: string
  /** The list that the count is of, if there is one. */
  address?: ListAddress
  /** A second count of the same period, with what it is of. */
  also?: { text: string; address: ListAddress } | undefined
  /** Empty without a period before. */
  comparison: string
}

/** A count that leads to what it counts. */
export const countLinkLook =
  'font-medium text-text underline decoration-line-strong underline-offset-2 hover:decoration-current'

/** `412 sign-ins, up 8% from the previous 30 days`: the count leads to what it counts. */
export const CountSentence = ({ text, address, also, comparison }: CountSentenceProps) => (
  <p>
    {address ? (
      <Link to={address.to} search={address.search} className={countLinkLook}>
        {text}
      </Link>
    ) : (
      <span className="font-medium text-text">{text}</span>
    )}
    {also && (
      <>
        {', '}
        <Link to={also.address.to} search={also.address.search} className={countLinkLook}>
          {also.text}
        </Link>
      </>
    )}
    {comparison !== '' && <span>, {comparison}</span>}
  </p>
)
