import type { Base64Bytes } from './base64.ts'

/**
 * OpenAI: one token for each 100 ms of a user's audio (guide "Managing conversations", section on
 * costs of the realtime models; the audio models of Chat Completions are counted alike). Google: 32 a
 * second ("Audio understanding").
 */
export const AUDIO_TOKENS_PER_SECOND = { openai: 10, google: 32 } as const

/** 128 kbit/s, the usual rate of speech in MP3, AAC or Opus containers. */
const COMPRESSED_BYTES_PER_SECOND = 16_000

const WAV_HEADER = 44

/** Seconds of audio: exact for WAV, whose header says its byte rate, else from the usual bit rate. */
export function readAudioSeconds(bytes: Base64Bytes): number {
  const head = bytes.read(0, WAV_HEADER)
  const isWav =
    head.length === WAV_HEADER &&
    String.fromCharCode(...head.subarray(0, 4)) === 'RIFF' &&
    String.fromCharCode(...head.subarray(8, 16)) === 'WAVEfmt '
  const rate = isWav
    ? new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(28, true)
    : 0
  return rate > 0
    ? Math.max(0, bytes.length - WAV_HEADER) / rate
    : bytes.length / COMPRESSED_BYTES_PER_SECOND
}
