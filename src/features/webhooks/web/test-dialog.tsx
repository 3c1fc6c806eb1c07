import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { PlanReason } from '#features/plans/web/plan-reason.tsx'
import { usePlanReason } from '#features/plans/web/use-plan-feature.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { outcomeText } from './outcome-text.ts'
import { prettyJson } from './pretty-json.ts'
import { type TestResult, testWebhooks, useTest, type Webhook } from './webhooks-data.ts'

/** What the receiver answered to the last test, and how the request was signed. */
export function TestDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const test = useTest(webhook.id)
  const isSending = test === 'sending'
  const missing = usePlanReason('webhooks')
  const result = typeof test === 'object' && 'webhookId' in test ? test : undefined
  const error = typeof test === 'object' && 'error' in test ? test.error : undefined
  return (
    <Dialog
      title={t`Webhook test`}
      description={webhook.url}
      size="lg"
      onClose={onClose}
      {...(error !== undefined && { error })}
      footer={
        <Button icon={<Send />} busy={isSending} disabledReason={missing} onClick={() => void testWebhooks(webhook)}>
          {result ? t`Test again` : t`Send test`}
        </Button>
      }
    >
      <div className="flex min-h-16 flex-col gap-3 py-1">
        <PlanReason reason={missing} />
        {isSending && (
          <p role="status" className="flex items-center gap-2 text-ui text-text-2">
            <Spinner /> {t`Waiting for the response…`}
          </p>
        )}
        {result && <Result result={result} />}
        {!isSending && !result && (
          <p className="text-ui text-text-2">{t`Sends a signed test event to this URL and shows the response.`}</p>
        )}
      </div>
    </Dialog>
  )
}

function Result({ result }: { result: TestResult }) {
  const { delivered, status, durationMs, answer, body, headers } = result
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <>
      <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-ui">
        {delivered ? (
          <Badge tone="ok" dot="filled">{t`Delivered`}</Badge>
        ) : (
          <Badge tone="danger" dot="slashed">{t`Failed`}</Badge>
        )}
        <span>{outcomeText(result)}</span>
        <span
          translate="no"
          className="text-text-2 tabular-nums"
        >{`${durationMs.toLocaleString(i18n.locale)} ms`}</span>
      </div>
      {status !== null && (
        <Part title={t`Response`}>
          {answer === '' ? (
            <p className="text-ui text-text-2">{t`The response has no body.`}</p>
          ) : (
            <CodeBlock limited label={t`Response`} text={answer} />
          )}
        </Part>
      )}
      <Part title={t`Signature headers`}>
        <CodeBlock label={t`Signature headers`} text={lines.join('\n')} />
      </Part>
      <Disclosure label={t`Request`}>
        {() => <CodeBlock limited label={t`Request`} text={prettyJson(body)} />}
      </Disclosure>
    </>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="min-w-0">
    <h3 className="mb-1.5 text-ui font-medium">{title}</h3>
    {children}
  </div>
)
