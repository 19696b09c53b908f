/** Credentials for the servers beside this file, by the loopback port at which they listen. */
import type { CredentialData } from '../n8n/apiTypes';

/** Also the keys that the S3 server knows. */
export const s3Credential = (port: number): CredentialData => ({
	name: 'S3 archive',
	type: 's3',
	data: {
		endpoint: `http://127.0.0.1:${port}`,
		region: 'us-east-1',
		accessKeyId: 'S3RVER',
		secretAccessKey: 'S3RVER',
		forcePathStyle: true,
		ignoreSSLIssues: false,
	},
});

/** The one user of the SFTP server. */
export const SFTP_USER = { username: 'archive', password: 'sftp-password' };

export const sftpCredential = (port: number): CredentialData => ({
	name: 'SFTP archive',
	type: 'sftp',
	data: { host: '127.0.0.1', port, ...SFTP_USER, privateKey: '', passphrase: '' },
});

export const postgresCredential = (port: number, user: string): CredentialData => ({
	name: 'Postgres archive',
	type: 'postgres',
	data: {
		host: '127.0.0.1',
		port,
		user,
		database: 'postgres',
		password: 'any',
		maxConnections: 4,
		allowUnauthorizedCerts: false,
		ssl: 'disable',
		sshTunnel: false,
	},
});

export const mailCredential = (port: number): CredentialData => ({
	name: 'Mail',
	type: 'smtp',
	data: {
		user: '',
		password: '',
		host: '127.0.0.1',
		port,
		secure: false,
		disableStartTls: true,
	},
});
