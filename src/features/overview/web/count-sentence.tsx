import { Link } from '@tanstack/react-router'
import type { ListAddress } from './overview-links.ts'

interface CountSentenceProps {
  text: string
  /** The list that the count is of, if there is one. */
  address?: ListAddress
  /** Empty without a period before. */
  comparison: string
}

/** `412 sign-ins, up 8% from the previous 30 days`: the count leads to what it counts. */
export const CountSentence = ({ text, address, comparison }: CountSentenceProps) => (
  <p>
    {address ? (
      <Link
        to={address.to}
        search={address.search}
        className="font-medium text-text underline decoration-line-strong underline-offset-2 hover:decoration-current"
      >
        {text}
      </Link>
    ) : (
      <span className="font-medium text-text">{text}</span>
    )}
    {comparison !== '' && <span>, {comparison}</span>}
  </p>
)
