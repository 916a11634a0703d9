import type { Report } from './model.ts';
export function renderSarif(r: Report): string {
  return JSON.stringify(r);
}
