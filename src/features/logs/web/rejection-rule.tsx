import { t } from '@lingui/core/macro'
import { errorPage } from '#web/navigation/links.ts'
import { notAdmittedCode } from '../logs.rules.ts'
import { rejectionRule } from './rejection-texts.ts'

/** Why a program was rejected, with the page about the code; the summary of many rejections is no code. */
export function RejectionRule({ code }: { code: string }) {
  const page = code === notAdmittedCode ? undefined : errorPage(code)
  return (
    <p className="text-ui">
      {rejectionRule(code)}
      {page && (
        <>
          {' '}
          <a
            href={page}
            target="_blank"
            rel="noreferrer"
            className="rounded-sm text-text-2 underline underline-offset-2 hover:text-text"
          >
            {t`Cause and remedy`}
          </a>
        </>
      )}
    </p>
  )
}
