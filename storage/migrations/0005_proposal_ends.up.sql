-- Open proposals whose time is over are closed as expired (state 5), so that lists of open ones do not
-- walk over them.
CREATE INDEX "open proposals by their end" ON proposals (expires_at) WHERE state = 1;
