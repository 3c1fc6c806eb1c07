using System;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Net.Sockets;

namespace Signet.Client.Net;

/// <summary>Tells a kept-alive connection that the server has closed from a server that can't be reached.</summary>
internal static class DroppedConnection
{
    internal static bool Caused(Exception error)
    {
        bool isDropped = false;
        for (Exception? cause = error; cause != null; cause = cause.InnerException)
        {
            switch (cause)
            {
                case SocketException { SocketErrorCode: not (SocketError.ConnectionReset
                    or SocketError.ConnectionAborted or SocketError.Shutdown or SocketError.NotConnected) }:
                case System.Security.Authentication.AuthenticationException:
                case WebException { Status: WebExceptionStatus.ConnectFailure
                    or WebExceptionStatus.NameResolutionFailure or WebExceptionStatus.TrustFailure
                    or WebExceptionStatus.SecureChannelFailure }:
                    return false;
                case SocketException:
                case WebException:
                case IOException:
                    isDropped = true;
                    break;
            }
        }

        return isDropped && error is HttpRequestException or IOException or WebException;
    }
}
