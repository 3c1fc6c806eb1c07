using System;
using System.Collections.Generic;

// The part of UnityEngine that the example script uses.
namespace UnityEngine
{
    public class MonoBehaviour
    {
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class SerializeFieldAttribute : Attribute
    {
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class HeaderAttribute : Attribute
    {
        public HeaderAttribute(string header) => Header = header;

        public string Header { get; }
    }
}

namespace UnityEngine.Events
{
    public class UnityEvent
    {
        private readonly List<Action> _listeners = new List<Action>();

        public void AddListener(Action listener) => _listeners.Add(listener);

        public void Invoke() => _listeners.ForEach(listener => listener());
    }

    public class UnityEvent<T>
    {
        private readonly List<Action<T>> _listeners = new List<Action<T>>();

        public void AddListener(Action<T> listener) => _listeners.Add(listener);

        public void Invoke(T value) => _listeners.ForEach(listener => listener(value));
    }
}
