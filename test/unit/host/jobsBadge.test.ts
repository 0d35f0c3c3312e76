import { describe, expect, it } from 'vitest';
import { jobsBadge, type BadgeFacts } from '../../../src/host/jobs/jobsFeature';
import { stored } from '../jobs/observations';

const here = 'http://127.0.0.1:8188';
const elsewhere = 'https://elsewhere.example';
const facts: BadgeFacts = {
  isShown: () => true,
  isCurrent: (origin) => origin === here,
  isSilent: () => false,
};
const job = (id: string, server: string, state: 'running' | 'pending' = 'running') => ({
  ...stored(state, id),
  server,
});

describe('the badge of the Jobs view', () => {
  it('counts running and queued jobs', () => {
    const badge = jobsBadge(
      [job('a', here), job('b', here, 'pending'), job('c', elsewhere, 'pending')],
      facts,
    );
    expect(badge?.value).toBe(3);
    expect(badge?.tooltip.line()).toBe('1 running, 2 queued');
    expect(jobsBadge([], facts)).toBeUndefined();
  });

  it('does not count a job of an unselected server that does not answer', () => {
    const jobs = [job('a', here), job('b', elsewhere)];
    const silent = { ...facts, isSilent: () => true };
    expect(jobsBadge(jobs, silent)?.value, 'that of the chosen server is waited for').toBe(1);
    expect(jobsBadge([job('b', elsewhere)], silent)).toBeUndefined();
    expect(jobsBadge(jobs, facts)?.value).toBe(2);
  });

  it('does not count jobs that the view hides', () => {
    const isShown: BadgeFacts['isShown'] = ({ id }) => id !== 'b';
    expect(jobsBadge([job('a', here), job('b', here)], { ...facts, isShown })?.value).toBe(1);
  });
});
