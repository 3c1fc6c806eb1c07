import { blocksOf, pages } from './page-blocks.ts'
import { spawnSync } from 'node:child_process'
const list = pages.flatMap((page) => blocksOf(page)).filter((b) => b.language === 'python').map((b) => [b.place, b.text])
const extra = [['x:1', `
from signet_client import Client, SignetErr
client = Client(..., on_lots=1)
client.licens("k")
client.license("k", "b")
s = client.license("k")
s.usernam
for x in s.subscriptions:
    x.expires
if error.code == "LICENSE_BANED": pass
error.customer_massage
file = client.download("a", "b")
file.siz
client.lost.customer_messag
`]]
const r = (spawnSync('python3', ['tools/docs/blocks/check-python.py'], { input: JSON.stringify([...list, ...extra]), encoding: 'utf8', env: { ...process.env, PYTHONPATH: 'sdks/python' } }))
console.log(r.stdout, r.stderr.slice(-600))
