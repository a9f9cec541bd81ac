import { expect, test } from 'vitest'
import { starter } from './page-scripts.tsx'

test('the start of the scripts holds the module as text that cannot end the script early', () => {
  const module = `import "/assets/a.js";\nconst text = '</script><!--';`
  const script = starter({ module, files: ['/assets/a.js', '/assets/b.js'] })
  expect(script).not.toContain('</')
  expect(script).not.toContain('<!--')
  const literal = /textContent: (".*") \}/.exec(script)?.[1] ?? ''
  expect(JSON.parse(literal)).toBe(module)
  expect(script).toContain('["/assets/a.js","/assets/b.js"]')
})
