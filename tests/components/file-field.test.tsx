import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ImageUp } from 'lucide-react'
import { afterEach, expect, test, vi } from 'vitest'
import { FileField } from '#web/components/file-field.tsx'

const file = new File(['a'], 'a.png', { type: 'image/png' })

function show(state: { isBusy?: boolean; error?: string }) {
  const onTake = vi.fn<(file: File) => void>()
  const onRemove = vi.fn<() => void>()
  render(
    <FileField
      {...{ name: 'logo', label: 'Logo', choose: 'Replace logo', icon: ImageUp, preview: 'logo.png' }}
      {...{ onTake, onRemove, ...state }}
    />,
  )
  return { onTake, onRemove, user: userEvent.setup() }
}

const drop = () => fireEvent.drop(screen.getByText('Logo'), { dataTransfer: { files: [file] } })

afterEach(cleanup)

test('a file is taken when it is chosen or dropped, and what is there is removed', async () => {
  const { onTake, onRemove, user } = show({})
  await user.upload(screen.getByLabelText('Logo', { selector: 'input' }), file)
  drop()
  expect(onTake).toHaveBeenCalledTimes(2)
  await user.click(screen.getByRole('button', { name: 'Remove the logo' }))
  expect(onRemove).toHaveBeenCalledTimes(1)
})

test('while a file is sent, nothing else is taken or removed, and the buttons keep the focus', async () => {
  const { onTake, onRemove, user } = show({ isBusy: true })
  await user.upload(screen.getByLabelText('Logo', { selector: 'input' }), file)
  drop()
  const remove = screen.getByRole('button', { name: 'Remove the logo' })
  await user.click(remove)
  expect(document.activeElement).toBe(remove)
  expect(onTake).not.toHaveBeenCalled()
  expect(onRemove).not.toHaveBeenCalled()
})

test('why a file was refused is announced when it comes', () => {
  show({ error: 'The file is too large.' })
  expect(screen.getByRole('alert').textContent).toBe('The file is too large.')
})
