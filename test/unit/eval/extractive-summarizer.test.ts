import { describe, expect, test } from 'vitest'
import {
  byFrequency,
  createExtractiveSummarizer,
} from '../../../eval/measurements/constraints/extractive-summarizer.ts'

const message = (role: string, text: string) => `<message role="${role}">\n${text}\n</message>`

const MATERIAL = [
  message('user', 'Please look at the queue of billing. Never touch the migrations folder.'),
  message('assistant', 'The queue of billing is read in two places.\n[called read_file with {}]'),
  message('tool', 'The queue of billing is a listing of a tool. You must not quote it.'),
  message('user', 'Rename the queue of billing to the line.'),
].join('\n')

async function summarize(name: 'frequency' | 'rule-quoting'): Promise<string> {
  const result = await createExtractiveSummarizer(name).summarize({
    instructions: '',
    input: MATERIAL,
    signal: new AbortController().signal,
  })
  return result.ok ? result.text : ''
}

describe('byFrequency', () => {
  test('takes the sentence of the commonest words first, within the words', () => {
    expect(byFrequency(MATERIAL, 8)).toBe('Rename the queue of billing to the line.')
    expect(byFrequency(MATERIAL, 7)).toBe('')
  })

  test('takes what is new before what is said already, and keeps to the order', () => {
    expect(byFrequency(MATERIAL, 13).split('\n')).toEqual([
      'Never touch the migrations folder.',
      'Rename the queue of billing to the line.',
    ])
  })

  test('quotes neither tools nor calls', () => {
    const text = byFrequency(MATERIAL, 1_000)
    expect(text).not.toContain('listing of a tool')
    expect(text).not.toContain('called read_file')
    expect(text).toContain('Never touch the migrations folder.')
  })
})

describe('createExtractiveSummarizer', () => {
  test('quotes rules of the user first where it is to quote rules', async () => {
    const text = await summarize('rule-quoting')
    expect(text.startsWith('Never touch the migrations folder.\n')).toBe(true)
    expect(text).not.toContain('You must not quote it')
  })

  test('keeps to the order of the conversation where it is not', async () => {
    expect((await summarize('frequency')).startsWith('Please look at')).toBe(true)
  })
})
