import { expect, test } from 'vitest'
import { browserOf } from './browser-name.ts'

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36',
    'Chrome on Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36 Edg/150.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1', 'Safari on iPhone'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14.0; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on macOS'],
  ['curl/8.5.0', 'Another program'],
  ['', ''],
])('%s is %s', (userAgent, expected) => {
  expect(browserOf(userAgent)).toBe(expected)
})
