import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { datedChangelog } from './changelog.ts'
import { statedVersions } from './release-versions.ts'

test.each(statedVersions())('%s states the version of the release', (_file, version) => {
  expect(version).toBe(manifest.version)
})

test('the changelog section of a release gets its date, and a release without a section is an error', () => {
  const text = '# Changelog\n\n## 0.2.0 (unreleased)\n\n- New.\n\n## 0.1.0 (2026-11-30)\n\n- First.\n'
  expect(datedChangelog(text, '0.2.0', '2026-12-24')).toBe(text.replace('(unreleased)', '(2026-12-24)'))
  expect(() => datedChangelog(text, '0.3.0', '2026-12-24')).toThrow('CHANGELOG.md has no section')
  expect(() => datedChangelog(text, '0.1.0', '2026-12-24')).toThrow('CHANGELOG.md has no section')
  expect(() => datedChangelog('## 0.2.0 (unreleased)\n\n## 0.1.0', '0.2.0', '2026-12-24')).toThrow('is empty')
})
