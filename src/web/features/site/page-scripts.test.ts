import { expect, test } from 'vitest'
import { starter } from './page-scripts.tsx'

test('the start of the scripts names their files in a way that cannot end the script early', () => {
  const script = starter(['/assets/a.js', '/assets/</script><!--.js'])
  expect(script).toContain('["/assets/a.js",')
  expect(script).not.toContain('</')
  expect(script).not.toContain('<!--')
})
